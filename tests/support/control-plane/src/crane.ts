import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPinned, type PinnedProgram } from './pinned-program.ts'

/** crane pushes images to a registry and pulls them. It can also serve a registry. The first build takes half a minute. */
export const craneProgram: PinnedProgram = {
  module: {
    directory: join(dirname(dirname(fileURLToPath(import.meta.url))), 'registry'),
    name: 'registry',
    linkerFlags: () => '-s -w',
  },
  goPackage: 'github.com/google/go-containerregistry/cmd/crane',
  name: 'crane',
  pathVariable: 'CRANE_PATH',
}

/** Returns the path of crane: `CRANE_PATH`, or else the pinned program in the cache of earlier builds. Builds nothing. */
export const findCrane = (): string | undefined => findPinned(craneProgram)
