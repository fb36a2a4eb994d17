// npm run image [-- --list] [--out DIR]: creates the files that the Dockerfile copies, by default in dist/image. With --list, only prints
// the contents of the image. The program contains the value of KERF_COMMIT.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readDockerfile } from './image/dockerfile.ts'
import { imageFiles, writeImageFiles } from './image/image-files.ts'
import { imageList } from './image/image-list.ts'
import { programOptions } from './program-options.ts'
import { root } from './source-files.ts'

const { values } = programOptions(
  'npm run image: makes what the Dockerfile copies; with --list it says what the image holds, and makes nothing.',
  {
    options: {
      list: { type: 'boolean', default: false },
      out: { type: 'string', default: join(root, 'dist', 'image') },
    },
  },
)
const files = await imageFiles(root, process.env['KERF_COMMIT'] ?? '')
if (!values.list) writeImageFiles(resolve(values.out), files)
process.stdout.write(
  imageList(files, readDockerfile(readFileSync(join(root, 'deploy', 'image', 'Dockerfile'), 'utf8'))),
)
