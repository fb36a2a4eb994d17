import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Manifest } from './manifest.ts'
import { ManifestError } from './manifest-error.ts'
import { parseManifests } from './parse-manifests.ts'

const run = promisify(execFile)

/** Programs that can build a kustomization. The first installed one is used. */
const BUILDERS: readonly (readonly [command: string, ...args: string[]])[] = [
  ['kubectl', 'kustomize'],
  ['kustomize', 'build'],
]

const LARGEST_OUTPUT = 512 * 1024 * 1024

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

const errorComplaint = (error: unknown): string => {
  if (typeof error === 'object' && error !== null && 'stderr' in error && String(error.stderr).trim() !== '')
    return String(error.stderr).trim()
  return error instanceof Error ? error.message : String(error)
}

/** Runs a program and returns its output. Rejects in the same way as `execFile`. */
export type RunProgram = (command: string, args: readonly string[]) => Promise<string>

const runProgram: RunProgram = async (command, args) =>
  (await run(command, [...args], { maxBuffer: LARGEST_OUTPUT })).stdout

/**
 * Returns the objects of a kustomization, built by kubectl or kustomize.
 *
 * @throws ManifestError if neither is installed, or if the build fails
 */
export const buildKustomization = async (
  directory: string,
  execute: RunProgram = runProgram,
): Promise<readonly Manifest[]> => {
  for (const [command, ...args] of BUILDERS) {
    const text = await execute(command, [...args, directory]).catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw new ManifestError(`${directory}: ${command} ${args.join(' ')}: ${errorComplaint(error)}`)
    })
    if (text !== undefined) return parseManifests(text, `${command} ${args.join(' ')} ${directory}`)
  }
  throw new ManifestError(
    `${directory}: neither kubectl nor kustomize is installed, and -k needs one of them; run elsewhere: kustomize build ${directory} > FILE, and kerf plan -f FILE`,
  )
}
