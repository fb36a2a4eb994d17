import { PriceBook, type PriceTable } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import { firstPrices } from '../tables/first-prices.ts'

/** The prices of instances in a region (`providers/aws/docs/spec/aws.md#prices`). */
export type AwsPriceBook = PriceBook<'aws'>

/** Returns a price book that starts with the prices that come with Kerf and, if given, those of the file. */
export const awsPriceBook = (
  clock: Clock,
  { region, file }: { readonly region: string; readonly file?: PriceTable },
): AwsPriceBook =>
  new PriceBook(clock, {
    cloud: 'aws',
    estimate: firstPrices(region).onDemand,
    ...(file === undefined ? {} : { file }),
  })
