import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeBundle } from '../bundle/make-bundle.ts'
import { licenseNotices } from '../bundle/notices.ts'
import { createSbom } from '../bundle/sbom.ts'

/** A file in the image's folder `/app`. */
export interface ImageFile {
  readonly name: string
  readonly purpose: string
  readonly content: Uint8Array
}

const text = (content: string): Uint8Array => Buffer.from(content)

/** Returns the files that the Dockerfile copies. The compile cache is not among them, because the Node.js of the base image creates it. */
export const imageFiles = async (root: string, commit: string): Promise<readonly ImageFile[]> => {
  const bundle = await makeBundle({ root, commit })
  return [
    { name: 'kerf.mjs', purpose: 'the program, every verb of it', content: bundle.code },
    { name: 'LICENSE', purpose: 'its licence', content: readFileSync(join(root, 'LICENSE')) },
    {
      name: 'THIRD-PARTY-NOTICES',
      purpose: 'the licences of the packages in it',
      content: text(licenseNotices(bundle.packages)),
    },
    {
      name: 'kerf.cdx.json',
      purpose: 'the packages in it, for scanners (CycloneDX)',
      content: text(createSbom(root, bundle)),
    },
  ]
}

/** Writes the files that the Dockerfile copies to a directory. Deletes the directory first. */
export const writeImageFiles = (directory: string, files: readonly ImageFile[]): void => {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  for (const { name, content } of files) writeFileSync(join(directory, name), content)
  chmodSync(join(directory, 'kerf.mjs'), 0o755)
}
