import { readFile } from 'node:fs/promises'
import type { InstanceType } from '@kerf/engine'
import { textOfThrown } from '@kerf/runtime'
import { generatedEntries } from './generated-types.ts'
import { kwokInstanceType } from './instance-type.ts'
import { parseInstanceTypeFile } from './instance-type-file.ts'
import { InstanceTypeFileError } from './instance-type-file-error.ts'

let generated: readonly InstanceType[] | undefined

/**
 * Returns the instance types in the file at `path`, or the generated types if there is no path.
 *
 * @throws InstanceTypeFileError if the file cannot be read or used.
 */
export const loadInstanceTypes = async (path?: string): Promise<readonly InstanceType[]> => {
  if (path === undefined || path === '') {
    generated ??= generatedEntries().map(kwokInstanceType)
    return generated
  }
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const problem = textOfThrown(error)
    throw new InstanceTypeFileError(path, '', `cannot be read: ${problem}`, { cause: error })
  }
  return parseInstanceTypeFile(text, path)
}
