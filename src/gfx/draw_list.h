// Draws one of Dear ImGui's draw lists, without the rest of Dear ImGui: its windows are not part of the page.
#pragma once

struct ImDrawList;

namespace limelight::gfx {

class DrawListShader {
 public:
  DrawListShader();
  ~DrawListShader();
  DrawListShader(const DrawListShader&) = delete;
  DrawListShader& operator=(const DrawListShader&) = delete;

  // Draws over what is there, alpha premultiplied; `width` and `height` of the whole page in CSS pixels. A callback of
  // the list may use programs, textures, vertex arrays and a blending of its own.
  void draw(const ImDrawList& list, float width, float height, float pixel_ratio) const;

 private:
  void bind(const ImDrawList& list, float width, float height) const;

  unsigned program_ = 0;
  unsigned vertices_ = 0;  // the vertex array
  unsigned vertex_buffer_ = 0;
  unsigned index_buffer_ = 0;
};

}  // namespace limelight::gfx
