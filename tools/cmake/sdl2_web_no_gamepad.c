/* Dear ImGui's SDL backend asks for gamepads. SDL's own answer drags in a database of 2,000 of them; ours is: none. */
#include <SDL_gamecontroller.h>

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
