// A texture as it is.
uniform sampler2D pixels;
uniform float opacity;
in vec2 place;
out vec4 colour;
void main() { colour = texture(pixels, place) * vec4(1.0, 1.0, 1.0, opacity); }
