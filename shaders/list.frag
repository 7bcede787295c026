// The texture, tinted; shapes take a white texel of it.
uniform sampler2D glyphs;
in vec2 place;
in vec4 shade;
out vec4 colour;
void main() { colour = shade * texture(glyphs, place); }
