// npm run image [-- --list]: makes what the Dockerfile copies, in dist/image; with --list says what the image holds, and makes
// nothing. KERF_COMMIT is written into the program.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readDockerfile } from './image/dockerfile.ts'
import { imageFiles, writeImageFiles } from './image/image-files.ts'
import { imageList } from './image/image-list.ts'
import { root } from './source-files.ts'

const { values } = parseArgs({ options: { list: { type: 'boolean', default: false } } })
const files = await imageFiles(root, process.env['KERF_COMMIT'] ?? '')
if (!values.list) writeImageFiles(join(root, 'dist', 'image'), files)
process.stdout.write(imageList(files, readDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'))))
