/* What the rest of SDL and Dear ImGui's backend ask of the parts that sdl2_web.cmake leaves out: each answers that there is
 * none of it. */
#include <SDL_gamecontroller.h>
#include <SDL_render.h>
#include <SDL_surface.h>

/* --- Gamepads, which come with a database of 2,000 of them --- */

SDL_bool SDL_IsGameController(int joystick_index) {
  (void)joystick_index;
  return SDL_FALSE;
}

SDL_GameController* SDL_GameControllerOpen(int joystick_index) {
  (void)joystick_index;
  return NULL;
}

void SDL_GameControllerClose(SDL_GameController* gamecontroller) { (void)gamecontroller; }

Uint8 SDL_GameControllerGetButton(SDL_GameController* gamecontroller, SDL_GameControllerButton button) {
  (void)gamecontroller, (void)button;
  return 0;
}

Sint16 SDL_GameControllerGetAxis(SDL_GameController* gamecontroller, SDL_GameControllerAxis axis) {
  (void)gamecontroller, (void)axis;
  return 0;
}

/* --- Surfaces in main memory and their blitters: icons, cursors of our own, a window without GL --- */

SDL_Surface* SDL_CreateRGBSurface(Uint32 flags, int width, int height, int depth, Uint32 red, Uint32 green, Uint32 blue, Uint32 alpha) {
  (void)flags, (void)width, (void)height, (void)depth, (void)red, (void)green, (void)blue, (void)alpha;
  return NULL;
}

SDL_Surface* SDL_CreateRGBSurfaceFrom(void* pixels, int width, int height, int depth, int pitch, Uint32 red, Uint32 green,
                                      Uint32 blue, Uint32 alpha) {
  (void)pixels, (void)width, (void)height, (void)depth, (void)pitch, (void)red, (void)green, (void)blue, (void)alpha;
  return NULL;
}

SDL_Surface* SDL_ConvertSurfaceFormat(SDL_Surface* surface, Uint32 format, Uint32 flags) {
  (void)surface, (void)format, (void)flags;
  return NULL;
}

void SDL_FreeSurface(SDL_Surface* surface) { (void)surface; }

int Emscripten_CreateWindowFramebuffer(void* device, SDL_Window* window, Uint32* format, void** pixels, int* pitch) {
  (void)device, (void)window, (void)format, (void)pixels, (void)pitch;
  return -1;
}

int Emscripten_UpdateWindowFramebuffer(void* device, SDL_Window* window, const SDL_Rect* rects, int count) {
  (void)device, (void)window, (void)rects, (void)count;
  return -1;
}

void Emscripten_DestroyWindowFramebuffer(void* device, SDL_Window* window) { (void)device, (void)window; }

/* --- The renderer --- */

SDL_Renderer* SDL_GetRenderer(SDL_Window* window) {
  (void)window;
  return NULL;
}

int SDL_GetRendererOutputSize(SDL_Renderer* renderer, int* width, int* height) {
  (void)renderer, (void)width, (void)height;
  return -1;
}

void SDL_DestroyRendererWithoutFreeing(SDL_Renderer* renderer) { (void)renderer; }

/* --- GL functions by name: all we call are linked by name, and Emscripten's table would keep every other one alive --- */

void* eglGetProcAddress(const char* name) {
  (void)name;
  return NULL;
}
