import { readFile } from 'node:fs/promises'
import { type PriceTable, parsePriceTable } from '@kerf/provider-kit'
import { textOfThrown } from '@kerf/runtime'
import { awsErrors } from '../failures/aws-errors.ts'

/**
 * The prices of `--aws-price-file`; nothing without one.
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
