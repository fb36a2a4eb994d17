import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPinned, type PinnedProgram } from './pinned-program.ts'

/** The plugin manager of kubectl, which the released plugin is installed with; one minute the first time. */
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

/** Path of krew: what `KREW_PATH` names, or the pinned one from the cache of earlier builds. Builds nothing. */
export const findKrew = (): string | undefined => findPinned(krewProgram)
