import { readFile } from 'node:fs/promises'
import { type PriceTable, parsePriceTable } from '@kerf/provider-kit'
import { textOfThrown } from '@kerf/runtime'
import { awsErrors } from '../failures/aws-errors.ts'

/**
 * Reads the prices of `--aws-price-file`. Returns undefined if no file is given.
 *
 * @throws UnreadablePriceFile
 */
export const readPriceFile = async (file: string): Promise<PriceTable | undefined> => {
  if (file === '') return undefined
  try {
    return parsePriceTable(await readFile(file, 'utf8'))
  } catch (error) {
    const problem = textOfThrown(error)
    throw awsErrors.UnreadablePriceFile({ file, problem }, { cause: error })
  }
}
