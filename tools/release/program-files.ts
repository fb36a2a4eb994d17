import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bundle, makeBundle } from '../bundle/make-bundle.ts'
import { licenseNotices } from '../bundle/notices.ts'
import { createSbom } from '../bundle/sbom.ts'
import { root } from '../source-files.ts'

/** The program of a release: the single file, its licenses, and its bill of materials. */
export interface Program {
  readonly bundle: Bundle
  readonly license: string
  readonly notices: string
  readonly sbom: string
}

/** Builds the program once, for all packages of a release. */
export const buildProgram = async (commit: string): Promise<Program> => {
  const bundle = await makeBundle({ root, commit })
  return {
    bundle,
    license: readFileSync(join(root, 'LICENSE'), 'utf8'),
    notices: licenseNotices(bundle.packages),
    sbom: createSbom(root, bundle),
  }
}

/** Writes the program and its licenses to a directory. Every package contains them in this form. */
export const writeProgram = (directory: string, { bundle, license, notices }: Program): void => {
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'kerf.mjs'), bundle.code)
  chmodSync(join(directory, 'kerf.mjs'), 0o755)
  writeFileSync(join(directory, 'LICENSE'), license)
  writeFileSync(join(directory, 'THIRD-PARTY-NOTICES'), notices)
}
