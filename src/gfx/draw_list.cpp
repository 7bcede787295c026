#include "gfx/draw_list.h"

#include <imgui.h>

#include <cstddef>
#include <cstdint>

#include "embedded/list_frag.h"
#include "embedded/list_vert.h"
#include "gfx/gl.h"
#include "gfx/program.h"

namespace limelight::gfx {
namespace {

static_assert(sizeof(ImDrawIdx) == 4, "drawn as GL_UNSIGNED_INT");

template <typename T>
void upload(unsigned kind, const ImVector<T>& values) {
  glBufferData(kind, static_cast<GLsizeiptr>(values.size_in_bytes()), values.Data, GL_STREAM_DRAW);
}

}  // namespace

DrawListShader::DrawListShader() {
  program_ = compile_program(text_of(embedded::list_vert), text_of(embedded::list_frag), {});
  glGenVertexArrays(1, &vertices_);
  glGenBuffers(1, &vertex_buffer_);
  glGenBuffers(1, &index_buffer_);
  glBindVertexArray(vertices_);
  glBindBuffer(GL_ARRAY_BUFFER, vertex_buffer_);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, index_buffer_);
  constexpr int stride = sizeof(ImDrawVert);
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, stride, buffer_offset(offsetof(ImDrawVert, pos)));
  glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, stride, buffer_offset(offsetof(ImDrawVert, uv)));
  glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride, buffer_offset(offsetof(ImDrawVert, col)));
  for (unsigned attribute = 0; attribute < 3; ++attribute) glEnableVertexAttribArray(attribute);
  glBindVertexArray(0);
}

DrawListShader::~DrawListShader() {
  glDeleteBuffers(1, &index_buffer_);
  glDeleteBuffers(1, &vertex_buffer_);
  glDeleteVertexArrays(1, &vertices_);
  glDeleteProgram(program_);
}

void DrawListShader::bind(const ImDrawList& list, float width, float height) const {
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glUseProgram(program_);
  glUniform2f(glGetUniformLocation(program_, "viewport"), width, height);
  glUniform1i(glGetUniformLocation(program_, "glyphs"), 0);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(list._CmdHeader.TextureId)));
  glBindVertexArray(vertices_);
}

void DrawListShader::draw(const ImDrawList& list, float width, float height, float pixel_ratio) const {
  if (program_ == 0) return;
  glEnable(GL_BLEND);
  glEnable(GL_SCISSOR_TEST);
  bind(list, width, height);
  glBindBuffer(GL_ARRAY_BUFFER, vertex_buffer_);
  upload(GL_ARRAY_BUFFER, list.VtxBuffer);
  upload(GL_ELEMENT_ARRAY_BUFFER, list.IdxBuffer);
  const auto pixels = [&](float length) { return static_cast<int>(length * pixel_ratio); };
  for (const ImDrawCmd& command : list.CmdBuffer) {
    if (command.UserCallback != nullptr) {
      command.UserCallback(&list, &command);
      bind(list, width, height);
      continue;
    }
    const ImVec4& clip = command.ClipRect;
    if (command.ElemCount == 0 || clip.z <= clip.x || clip.w <= clip.y) continue;
    glScissor(pixels(clip.x), pixels(height - clip.w), pixels(clip.z - clip.x), pixels(clip.w - clip.y));
    glDrawElements(GL_TRIANGLES, static_cast<int>(command.ElemCount), GL_UNSIGNED_INT,
                   buffer_offset(command.IdxOffset * sizeof(ImDrawIdx)));
  }
  glDisable(GL_SCISSOR_TEST);
  glBindVertexArray(0);
}

}  // namespace limelight::gfx
