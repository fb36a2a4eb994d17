import { readFile } from 'node:fs/promises'
import { awsErrors } from '../failures/aws-errors.ts'
import { type PriceTable, parsePriceTable } from './price-table.ts'

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
    const problem = error instanceof Error ? error.message : String(error)
    throw awsErrors.UnreadablePriceFile({ file, problem }, { cause: error })
  }
}
