// Of the environment's variables a program for WebAssembly has none but those that it is given: tests/unit/unchanged.h reads this one.
Module.preRun = () => {
  ENV.LIMELIGHT_UNCHANGED = process.env.LIMELIGHT_UNCHANGED ?? '';
};
