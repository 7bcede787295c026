// A rectangle in CSS pixels, its corners from the vertex's number; `place` runs from 0 to 1 over it.
uniform vec4 rect;      // x, y, width, height
uniform vec2 viewport;  // of the whole page
out vec2 place;
void main() {
  place = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
  vec2 at = rect.xy + place * rect.zw;
  gl_Position = vec4(at.x / viewport.x * 2.0 - 1.0, 1.0 - at.y / viewport.y * 2.0, 0.0, 1.0);
}
