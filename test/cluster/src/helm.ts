import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildProgram, cacheDirectory, type GoModule } from './go-module.ts'

const helmModule: GoModule = {
  directory: join(dirname(dirname(fileURLToPath(import.meta.url))), 'helm'),
  name: 'helm',
  linkerFlags: (goMod) => {
    const version = /helm\.sh\/helm\/v3 (v\S+)/.exec(goMod)?.[1] ?? ''
    return `-s -w -X helm.sh/helm/v3/internal/version.version=${version}`
  },
}

/** Path of Helm: what `HELM_PATH` names, or the pinned one from the cache of earlier builds. Builds nothing. */
export const findHelm = (): string | undefined => {
  const given = process.env['HELM_PATH']
  if (given !== undefined && given !== '') return existsSync(given) ? given : undefined
  const cached = join(cacheDirectory(helmModule), 'helm')
  return existsSync(cached) ? cached : undefined
}

/**
 * Builds the pinned Helm unless it is there; one to two minutes on two cores the first time.
 * @param progress gets one line before the build
 * @throws GoBuildError when Go refuses
 */
export const buildHelm = async (progress: (line: string) => void): Promise<string> => {
  const found = findHelm()
  if (found !== undefined) return found
  progress(`building helm (once, then cached in ${cacheDirectory(helmModule)})`)
  await buildProgram(helmModule, 'helm.sh/helm/v3/cmd/helm', 'helm')
  return join(cacheDirectory(helmModule), 'helm')
}
