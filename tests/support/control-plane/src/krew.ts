import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPinned, type PinnedProgram } from './pinned-program.ts'

/** The plugin manager of kubectl. Tests use it to install the released plugin. The first build takes one minute. */
export const krewProgram: PinnedProgram = {
  module: {
    directory: join(dirname(dirname(fileURLToPath(import.meta.url))), 'krew'),
    name: 'krew',
    linkerFlags: () => '-s -w',
  },
  goPackage: 'sigs.k8s.io/krew/cmd/krew',
  name: 'krew',
  pathVariable: 'KREW_PATH',
}

/** Returns the path of krew: `KREW_PATH`, or else the pinned program in the cache of earlier builds. Builds nothing. */
export const findKrew = (): string | undefined => findPinned(krewProgram)
