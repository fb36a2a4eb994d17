/**
 * `npm run reading -- --seed N [--files COUNT]`: prints randomly selected source files with three questions, each file after the
 * introduction of its folder. A person who does not know the code answers the questions. If the reader cannot answer one, the code is not
 * clear enough. `CONTRIBUTING.md` explains how answers are judged.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SeededRandom } from '@kerf/runtime'
import { programOptions } from './program-options.ts'
import { drawn, introductionPath, questions } from './reading/drawn-files.ts'
import { root, sourceFiles } from './source-files.ts'

const { values } = programOptions(
  'npm run reading: prints source files drawn at random, each with three questions for somebody who does not know the code.',
  {
    options: { seed: { type: 'string', default: '1' }, files: { type: 'string', default: '15' } },
  },
)
const wholeNumber = (name: string, text: string): number => {
  if (/^\d+$/.test(text)) return Number(text)
  process.stderr.write(`reading: --${name} takes a whole number, not ${JSON.stringify(text)}\n`)
  process.exit(2)
}
const seed = wholeNumber('seed', values.seed)
const count = wholeNumber('files', values.files)

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const files = drawn(sourceFiles(), new SeededRandom(seed), count)
print(`# Reading, seed ${seed}: ${files.length} files\n`)
print('Read ARCHITECTURE.md first. Then answer for each file:\n')
for (const [index, question] of questions.entries()) print(`${index + 1}. ${question}`)
for (const [index, { path, text }] of files.entries()) {
  print(`\n## ${index + 1}. ${path}\n`)
  const introduction = introductionPath(dirname(path), (each) => existsSync(join(root, each)))
  if (introduction !== undefined) {
    const quoted = readFileSync(join(root, introduction), 'utf8').trimEnd().replaceAll(/^/gm, '> ')
    print(`From ${introduction}:\n\n${quoted}\n`)
  }
  print(`\`\`\`ts\n${text.trimEnd()}\n\`\`\``)
}
