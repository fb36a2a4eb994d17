import { PriceBook, type PriceTable } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import { firstPrices } from '../tables/first-prices.ts'

/** What instances of a region cost (`docs/spec/aws.md#prices`). */
export type AwsPriceBook = PriceBook<'aws'>

/** A book that begins with the file, where there is one, and the prices that come with Kerf. */
export const awsPriceBook = (
  clock: Clock,
  { region, file }: { readonly region: string; readonly file?: PriceTable },
): AwsPriceBook =>
  new PriceBook(clock, {
    cloud: 'aws',
    estimate: firstPrices(region).onDemand,
    ...(file === undefined ? {} : { file }),
  })
