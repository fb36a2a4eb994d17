import { readFile } from 'node:fs/promises'
import type { InstanceType } from '@kerf/engine'
import { CatalogueError } from './catalogue-error.ts'
import { generateCatalogue } from './generated-catalogue.ts'
import { instanceTypeOf } from './instance-type.ts'
import { parseInstanceTypeFile } from './instance-type-file.ts'

/**
 * The instance types of `--instance-types-file-path`, or the generated catalogue when no path is given.
 *
 * @throws CatalogueError when the file cannot be read or used.
 */
export const loadCatalogue = async (path?: string): Promise<readonly InstanceType[]> => {
  if (path === undefined || path === '') return generateCatalogue().map(instanceTypeOf)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new CatalogueError(path, '', `cannot be read: ${problem}`, { cause: error })
  }
  return parseInstanceTypeFile(text, path)
}
