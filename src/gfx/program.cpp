#include "gfx/program.h"

#include <cstdio>

#include "gfx/gl.h"

namespace limelight::gfx {
namespace {

std::string with_preamble(std::string_view body, const Constants& constants) {
#ifdef LIMELIGHT_GLES
  std::string source = "#version 300 es\nprecision highp float;\nprecision highp sampler2D;\n";
#else
  std::string source = "#version 330 core\n";
#endif
  for (const auto& [name, value] : constants) source += "#define " + name + " " + value + "\n";
  return source.append(body);
}

unsigned compile(unsigned kind, const std::string& source) {
  const unsigned shader = glCreateShader(kind);
  const char* text = source.c_str();
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  int good = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
  if (good == 0) {
    char log[1024] = {};
    glGetShaderInfoLog(shader, sizeof log, nullptr, log);
    std::fprintf(stderr, "shader: %s\n", log);
  }
  return shader;
}

}  // namespace

std::string_view text_of(std::span<const unsigned char> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

unsigned compile_program(std::string_view vertex_body, std::string_view fragment_body, const Constants& constants) {
  const unsigned vertex = compile(GL_VERTEX_SHADER, with_preamble(vertex_body, constants));
  const unsigned fragment = compile(GL_FRAGMENT_SHADER, with_preamble(fragment_body, constants));
  const unsigned program = glCreateProgram();
  glAttachShader(program, vertex);
  glAttachShader(program, fragment);
  glLinkProgram(program);
  glDeleteShader(vertex);
  glDeleteShader(fragment);
  int good = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &good);
  if (good != 0) return program;
  char log[1024] = {};
  glGetProgramInfoLog(program, sizeof log, nullptr, log);
  std::fprintf(stderr, "shader: %s\n", log);
  glDeleteProgram(program);
  return 0;
}

}  // namespace limelight::gfx
