import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** A Go module in this repository that pins programs. Its `go.mod` and `go.sum` contain every version. */
export interface GoModule {
  readonly directory: string
  /** The name of the module's folder in the program cache. */
  readonly name: string
  /** Returns linker flags that set the version that the programs print. `goMod` is the text of `go.mod`. */
  linkerFlags(goMod: string): string
}

/** Thrown if a build fails. The message contains the build's output. */
export class GoBuildError extends Error {
  override readonly name = 'GoBuildError'
}

/** Returns the cache folder of a module's programs. It depends only on the pinned versions, so unchanged programs are never built again. */
export const cacheDirectory = (module: GoModule): string => {
  const hash = createHash('sha256')
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(module.directory, file)))
  const base = process.env['KERF_CACHE_DIR'] ?? join(homedir(), '.cache', 'kerf', module.name)
  return join(base, hash.digest('hex').slice(0, 16))
}

export const haveGo = (): boolean => spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0

const goBuild = (module: GoModule, goPackage: string, output: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const flags = module.linkerFlags(readFileSync(join(module.directory, 'go.mod'), 'utf8'))
    const child = spawn('go', ['build', '-trimpath', '-ldflags', flags, '-o', output, goPackage], {
      cwd: module.directory,
      env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000)
    })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new GoBuildError(`go build of ${goPackage} failed:\n${said.trim()}`))
    })
  })

/**
 * Builds a program and puts it into the cache atomically.
 * @throws GoBuildError if the build fails
 */
export const buildProgram = async (module: GoModule, goPackage: string, name: string): Promise<void> => {
  const directory = cacheDirectory(module)
  mkdirSync(directory, { recursive: true })
  const temporary = join(directory, `.${name}.${process.pid}`)
  try {
    await goBuild(module, goPackage, temporary)
    renameSync(temporary, join(directory, name))
  } finally {
    rmSync(temporary, { force: true })
  }
}
