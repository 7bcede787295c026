# cmake -DFILE=… -DSYMBOL=… -DOUTPUT=… -P embed.cmake: writes a C++ source that holds the bytes of a file.
file(READ "${FILE}" bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
file(WRITE "${OUTPUT}" "#include \"embedded/${SYMBOL}.h\"
namespace limelight::embedded {
namespace {
constexpr unsigned char bytes[] = {
${bytes}};
}  // namespace
constinit const std::span<const unsigned char> ${SYMBOL}{bytes};
}  // namespace limelight::embedded
")
