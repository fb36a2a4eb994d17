import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPinned, type PinnedProgram } from './pinned-program.ts'

/** The client of registries that the image is pushed and pulled with, and a registry; half a minute the first time. */
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

/** Path of crane: what `CRANE_PATH` names, or the pinned one from the cache of earlier builds. Builds nothing. */
export const findCrane = (): string | undefined => findPinned(craneProgram)
