// How figures look: on the page, light or dark, and on their own for a paper.

export interface Look {
  ink: string;
  quiet: string;
  line: string;
  paper: string;
  font: string;
  fontSize: number;
  lineWidth: number;
  /** Of the figure, in pixels. */
  width: number;
  /** A figure on its own carries its legend; on the page the agents stand above the figures. */
  standsAlone: boolean;
}

const FONT = '"Source Sans 3", "Helvetica Neue", Arial, "Liberation Sans", "DejaVu Sans", ' +
  "sans-serif";

const ON_PAGE = { font: FONT, fontSize: 12, lineWidth: 1.8, width: 600, standsAlone: false };

export const LIGHT: Look = {
  ...ON_PAGE, ink: "#1c1d1f", quiet: "#5d6066", line: "#e3e3de", paper: "#ffffff",
};

export const DARK: Look = {
  ...ON_PAGE, ink: "#e7e6e2", quiet: "#a3a5aa", line: "#35383d", paper: "#17191c",
};

export const PAPER: Look = {
  ...LIGHT, ink: "#000000", quiet: "#333333", line: "#dddddd", fontSize: 15, lineWidth: 2.2,
  width: 720, standsAlone: true,
};
