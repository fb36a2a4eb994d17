/**
 * npm run tables -- NAME [DIRECTORY]: imports the published tables of a provider into `providers/NAME/tables/published/`.
 * `providers/NAME/tables/import.ts` lists the files that DIRECTORY must contain. Run `npm run generate` afterwards.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { root } from './source-files.ts'

type ImportTables = (directory: string | undefined) => Readonly<Record<string, string>>

const [, , name = '', directory] = process.argv
const folder = join(root, 'providers', name, 'tables')
const program = join(folder, 'import.ts')
if (name === '' || !existsSync(program)) throw new Error('usage: npm run tables -- NAME [DIRECTORY]')
const { importTables } = (await import(pathToFileURL(program).href)) as { importTables: ImportTables }
for (const [table, text] of Object.entries(importTables(directory)))
  writeFileSync(join(folder, 'published', `${table}.txt.gz`), gzipSync(text, { level: 9 }))
