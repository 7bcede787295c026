// Written by tools/posters: which figure each picture is of. usual: the preset that a link need not name; preset, name: the words of
// its preset and its step.
export const POSTERS = [
  {"file":"spotlight","scene":"spotlight","step":"glance","number":"9","state":"","usual":"coffee","preset":"she likes coffee","name":"Glance"},
  {"file":"score","scene":"score","step":"arrows","number":"1","state":"","usual":"fox","preset":"jumped and fox","name":"Arrows"},
  {"file":"scale","scene":"scale","step":"spread","number":"2","state":"","usual":"head","preset":"d = 64, one head","name":"Its spread"},
  {"file":"layer","scene":"layer","step":"self","number":"4","state":"","usual":"video","preset":"video search","name":"Self"},
  {"file":"heads","scene":"heads","step":"weights","number":"3","state":"","usual":"cat","preset":"cat","name":"Lamps"},
  {"file":"sentence","scene":"sentence","step":"head","number":"2","state":"","usual":"animal","preset":"animal","name":"One head"},
  {"file":"translate","scene":"translate","step":"alignment","number":"7","state":"","usual":"constructed","preset":"by hand","name":"Map"},
  {"file":"train","scene":"train","step":"train","number":"2","state":"","usual":"reverse","preset":"reverse letters","name":"Train"},
  {"file":"caption","scene":"caption","step":"weights","number":"4","state":"","usual":"pair","preset":"two things","name":"Weights"},
  {"file":"patches","scene":"patches","step":"weights","number":"4","state":"","usual":"alike","preset":"alike","name":"Weights"},
  {"file":"cost","scene":"cost","step":"count","number":"1","state":"","usual":"head","preset":"one head, d = 64","name":"Count"},
  {"file":"limits","scene":"limits","step":"spread","number":"1","state":"","usual":"review","preset":"a review","name":"Spread"},
  {"file":"translate-agreement","scene":"translate","step":"alignment","number":"7","state":"preset=agreement","usual":"constructed","preset":"agreement","name":"Map"},
];
