import { definePriceMetrics, PriceRefresh, reportPrices } from '@kerf/provider-kit'
import type { Controller } from '@kerf/runtime'
import type { AwsDeps } from '../aws-deps.ts'
import { classifyAwsFailure } from '../failures/aws-failure.ts'

export const priceMetrics = definePriceMetrics('karpenter_aws', 'aws')

/** Reads the prices, and saves the prices that AWS returned for the next start (`providers/aws/docs/spec/aws.md#prices`). */
export const pricingRefresh = ({ context, options, prices, priceReader, priceMemory }: AwsDeps): Controller => {
  const { clock, log } = context
  reportPrices(priceMetrics, { metrics: options.metrics, clock, book: prices })
  return new PriceRefresh({
    log,
    book: prices,
    memory: priceMemory,
    reads: {
      spot: (signal) => priceReader.readSpot(signal),
      ...(priceReader.canReadOnDemand(options.settings.isolatedVpc)
        ? { onDemand: (signal: AbortSignal) => priceReader.readOnDemand(signal) }
        : {}),
    },
    failureOf: classifyAwsFailure,
  }).controller('providers.pricing')
}
