// MD5, by which OpenML names the content of a file. It finds damage on the way; it is no proof
// against somebody who means harm. OpenSSL computes it, since curl brings that library along anyway
// and its MD5 need not be written a second time.
#pragma once

#include <string>

#include "handrail/base/result.h"
#include "handrail/data/byte_source.h"

namespace handrail {

// Of all that the source gives, in 32 lower-case hexadecimal digits. Fails if the source does, or
// where the machine's rules for cryptography forbid MD5.
Result<std::string> md5_of(ByteSource& source);

}  // namespace handrail
