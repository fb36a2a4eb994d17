import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPinned, type PinnedProgram } from './pinned-program.ts'

/** The Helm that tests of the charts use. The first build takes one to two minutes on two cores. */
export const helmProgram: PinnedProgram = {
  module: {
    directory: join(dirname(dirname(fileURLToPath(import.meta.url))), 'helm'),
    name: 'helm',
    linkerFlags: (goMod) => {
      const version = /helm\.sh\/helm\/v3 (v\S+)/.exec(goMod)?.[1] ?? ''
      return `-s -w -X helm.sh/helm/v3/internal/version.version=${version}`
    },
  },
  goPackage: 'helm.sh/helm/v3/cmd/helm',
  name: 'helm',
  pathVariable: 'HELM_PATH',
}

/** Returns the path of Helm: `HELM_PATH`, or else the pinned program in the cache of earlier builds. Builds nothing. */
export const findHelm = (): string | undefined => findPinned(helmProgram)
