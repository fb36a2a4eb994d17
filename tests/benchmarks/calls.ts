// npm run bench:calls -- NAME [--size N …] [--record]: counts the requests of Kerf to the cloud of this provider in its first minute and in
// a steady hour, by the number of nodes, in virtual time. Each provider's own program is `providers/NAME/bench/run.ts`.
import { globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { refuseOptions } from '../../tools/program-options.ts'
import { root } from '../../tools/source-files.ts'

const programs = new Map(
  globSync('providers/*/bench/run.ts', { cwd: root })
    .toSorted()
    .map((path) => [basename(dirname(dirname(path))), join(root, path)]),
)
const [name = ''] = process.argv.splice(2, 1)
const program = programs.get(name)
if (program === undefined)
  refuseOptions(
    `npm run bench:calls -- NAME [--size N …] [--record]: counts the requests of Kerf to a cloud while idle.\nNAME is one of ${[...programs.keys()].join(', ')}`,
  )
else await import(pathToFileURL(program).href)
