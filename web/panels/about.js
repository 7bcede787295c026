// What Limelight is, where its examples come from and what those leave out, whose work it stands on, and what it keeps.

import { openDialog } from './dialog.js';
import { button, element } from '../page/dom.js';
import { release } from '../page/files.js';
import { assignment } from '../page/state.js';

export const VERSION = '0.1.0';

// Each with what it leaves out or says loosely, and a step that shows it: [words, title of the button, state].
const ARTICLES = [
  {
    name: 'Attention on “she likes coffee”',
    address: 'https://github.com/christoschr97/the-beginner-pytorch/blob/main/attention/Attention_mechanism.ipynb',
    about: 'Scaled dot-product attention in eight steps of NumPy, with the picture of a spotlight; Spotlight is built on it.',
    loose: [
      ['Its embeddings and matrices are set by hand, as it says: which word looks at which follows from them and means nothing.',
        'Trained matrices', { scene: 'spotlight', step: 'w', trained: 'on' }],
      ['It calls Q, K and V learned; what is learned are the W that make them.', 'Q, K and V', { scene: 'spotlight', step: 'qkv' }],
      ['One head, no mask, no W_O, and exp without subtracting the largest score, which overflows for large ones.',
        'Heads, joined by W_O', { scene: 'heads', step: 'join' }],
    ],
  },
  {
    name: 'Introduction to Attention Mechanism (erdem.pl, 2021)',
    address: 'https://erdem.pl/2021/05/introduction-to-attention-mechanism',
    about: 'From translators with one fixed vector to additive attention, captions of pictures and self-attention; Layer, Translate '
      + 'and Caption follow it.',
    loose: [
      ['Hard attention is told as taking the highest score. In training it draws the cell, and learns by REINFORCE.',
        'Hard attention, drawn', { scene: 'caption', step: 'draws' }],
      ['It reads a map of weights as interpretability of the model; that needs a test.', 'What a map does not tell',
        { scene: 'limits', step: 'weights' }],
      ['Its contexts are single numbers for the sake of the drawing, and it leaves multiple heads and positions to other articles.',
        'Positions', { scene: 'layer', step: 'order' }],
    ],
  },
  {
    name: 'A blog post on self-attention, from scratch in NumPy',
    about: 'Self- and cross-attention, several heads, and a small class.',
    loose: [
      ['It says that Q, K and V are identical in self-attention. They come from one sequence, by three matrices.', 'Q = K = V, tried',
        { scene: 'limits', step: 'claims', claim: 'identical' }],
      ['Its class divides by d² besides √d, which makes all weights nearly equal.', '÷ d² as well, tried',
        { scene: 'limits', step: 'claims', claim: 'square' }],
      ['It compares the 512 features with each other instead of the 6 tokens, and draws new numbers instead of using its input.',
        'A class', { scene: 'scale', step: 'class' }],
    ],
  },
  {
    name: 'Attention Mechanism: an overview, with a PyTorch module',
    about: 'Parts, kinds, uses and limits of attention; Cost and Limits take up its list of challenges, Score its module.',
    loose: [
      ['Its module makes weights for each hidden unit and stops before the weighted sum that the text calls the output.', 'The module',
        { scene: 'score', step: 'module' }],
      ['It plots scores as “attention weights”, and sums that come to 128 instead of 1.', 'Sum to 128', { scene: 'score', step: 'sums' }],
      ['“High weights for all elements” cannot be: the weights of a query sum to 1.', 'High for all, tried',
        { scene: 'limits', step: 'sum' }],
    ],
  },
  {
    name: 'Day 1: Introduction to Attention Mechanisms',
    about: 'Queries, keys and values, told with a fox that jumped, and three lines of PyTorch.',
    loose: [
      ['Its code does not scale the scores.', 'Why divide by √d', { scene: 'scale', step: 'softmax' }],
      ['A dot product is not the angle: length counts as well.', 'Dot product and angle, tried',
        { scene: 'limits', step: 'claims', claim: 'angle' }],
      ['95 % for one word takes a large lead of its score; its own example gives no such weight.', '95 % sure, tried',
        { scene: 'limits', step: 'claims', claim: 'certain' }],
    ],
  },
];

const arxiv = (number) => `https://arxiv.org/abs/${number}`;
const PAPERS = [
  ['Vaswani et al. 2017: Attention is all you need', arxiv('1706.03762')],
  ['Bahdanau, Cho & Bengio 2015: Neural machine translation by jointly learning to align and translate', arxiv('1409.0473')],
  ['Luong, Pham & Manning 2015: Effective approaches to attention-based neural machine translation', arxiv('1508.04025')],
  ['Xu et al. 2015: Show, attend and tell', arxiv('1502.03044')],
  ['Sutskever, Vinyals & Le 2014: Sequence to sequence learning with neural networks', arxiv('1409.3215')],
  ['Cho et al. 2014: the gated recurrent unit', arxiv('1406.1078')],
  ['Devlin et al. 2019: BERT', arxiv('1810.04805')],
  ['Martins & Astudillo 2016: From softmax to sparsemax', arxiv('1602.02068')],
  ['Peters, Niculae & Martins 2019: Sparse sequence-to-sequence models (entmax)', arxiv('1905.05702')],
  ['Su et al. 2021: RoFormer (rotary positions)', arxiv('2104.09864')],
  ['Press, Smith & Lewis 2022: ALiBi (a linear bias)', arxiv('2108.12409')],
  ['Katharopoulos et al. 2020: Transformers are RNNs (linear attention)', arxiv('2006.16236')],
  ['Beltagy, Peters & Cohan 2020: Longformer (windows)', arxiv('2004.05150')],
  ['Milakov & Gimelshein 2018: Online normalizer calculation for softmax', arxiv('1805.02867')],
  ['Rabe & Staats 2021: Self-attention does not need O(n²) memory', arxiv('2112.05682')],
  ['Dao et al. 2022: FlashAttention', arxiv('2205.14135')],
  ['Buades, Coll & Morel 2005: A non-local algorithm for image denoising', 'https://doi.org/10.1109/CVPR.2005.38'],
  ['Michel, Levy & Neubig 2019: Are sixteen heads really better than one?', arxiv('1905.10650')],
  ['Clark et al. 2019: What does BERT look at?', arxiv('1906.04341')],
  ['Abnar & Zuidema 2020: Quantifying attention flow in transformers', arxiv('2005.00928')],
  ['Jain & Wallace 2019: Attention is not explanation', arxiv('1902.10186')],
  ['Wiegreffe & Pinter 2019: Attention is not not explanation', arxiv('1908.04626')],
  ['Kobayashi et al. 2020: Attention is not only a weight', arxiv('2004.10102')],
  ['Brunner et al. 2020: On identifiability in transformers', arxiv('1908.04211')],
];

const LICENCES = [
  ['Dear ImGui: MIT', 'https://github.com/ocornut/imgui'],
  ['SDL 2: zlib', 'https://libsdl.org'],
  ['Eigen: MPL 2.0', 'https://eigen.tuxfamily.org'],
  ['stb: MIT or public domain', 'https://github.com/nothings/stb'],
];

const link = (words, address) => element('a', { href: address, target: '_blank', rel: 'noopener' }, words);
const list = (...items) => element('ul', {}, ...items.map((item) => element('li', {}, ...[item].flat())));
const paragraph = (...words) => element('p', {}, ...words);
const heading = (words) => element('h2', {}, words);

export function open({ call }) {
  const see = (words, state) => button(words, () => {
    dialog.close();
    call('set', Object.entries(state).map(([name, value]) => assignment(name, value)).join('&'));
  });
  const article = ({ name, address, about, loose }) => element('section', { class: 'article' },
    element('h3', {}, address ? link(name, address) : name), paragraph(about),
    list(...loose.map(([words, title, state]) => [`${words} `, see(title, state)])));

  const dialog = openDialog('About Limelight', [
    paragraph('Limelight is a playground where attention can be seen, touched and understood. Every number on the page is computed '
      + 'while you look, and says where it comes from.'),
    paragraph(`Version ${VERSION}${release && ` (${release})`}.`),

    heading('Reading attention as explanation'),
    paragraph('A weight says how much of a value went into an output. It does not say why the model answered as it did: very '
      + 'different weights can give the same output, the values and the layers above decide too, and a word that is hardly looked at '
      + 'can be the one that counts. Whether weights help to explain a model is disputed (Jain & Wallace; Wiegreffe & Pinter, below) '
      + 'and has to be tested for each model, by changing its input and watching its answer.'),
    element('div', { class: 'row' }, see('Other weights, same output', { scene: 'limits', step: 'weights' }),
      see('Hide each word, and compare', { scene: 'sentence', step: 'evidence' })),

    heading('The five articles'),
    paragraph('The examples come from five articles for beginners. They are good first reading; here is what each leaves out or says '
      + 'loosely, and where to see the rest. Where there is no link, the address of the article is not known to us.'),
    ...ARTICLES.map(article),

    heading('Papers'),
    list(...PAPERS.map(([words, address]) => link(words, address))),
    paragraph('The colours of queries, keys and values are those of ',
      link('The Illustrated Transformer', 'https://jalammar.github.io/illustrated-transformer/'), '.'),

    heading('What leaves your machine'),
    paragraph('Nothing. The page asks no other site for anything, sets no cookies and counts no visits. The sentences, pictures, models '
      + 'and weights that you give it stay in this browser. What you set stands in the address, so it goes where you send the link; '
      + 'what is too long for it, and a picture of your own, is kept until you close the tab. The page’s own files are kept for later '
      + 'visits without a network.'),

    heading('Licences'),
    paragraph('Limelight is under the MIT licence. Its trained weights, and the sentences and pictures that they were trained on, were '
      + 'made for it. It is built with:'),
    list(...LICENCES.map(([words, address]) => link(words, address)),
      ['Inter, Inter Display, JetBrains Mono and STIX, in parts: ', link('SIL OFL 1.1', 'fonts/LICENSE')]),
  ]);
}
