import { kinds, type Milliseconds, parseTime } from '@kerf/apis'
import { parsePriceTable } from '@kerf/provider-kit'
import { foundAny, inOrder, objectName, undecided } from '@kerf/provider-kit/doctor'
import type { Audit } from '../audit.ts'
import type { Check } from '../check.ts'
import { PRICES_ELSEWHERE, priceConfigMaps } from '../price-config-maps.ts'

/** Maximum age of prices in hours, the same as in the alert KerfPricesOld. A controller reads prices twice a day. */
const MOST_HOURS = 48

const HOUR: Milliseconds = 3_600_000

/** Returns when the prices were read. Returns undefined if the text has no prices or no date. */
const priceTime = (text: string): Milliseconds | undefined => {
  try {
    return parsePriceTable(text).readAt
  } catch {
    return undefined
  }
}

/**
 * Returns the time of the newest prices of any region. The ConfigMap may contain old prices of a region in which the controller no longer
 * runs. Nothing uses those prices.
 */
const newestPriceTime = (data: Readonly<Record<string, string>> = {}): Milliseconds | undefined => {
  const times = Object.values(data).flatMap((text) => priceTime(text) ?? [])
  return times.length === 0 ? undefined : Math.max(...times)
}

/**
 * Returns when the objects were read from the cluster. Files may have been written long ago, so the newest renewal of a Lease is
 * used: kubelets renew their Leases continuously.
 */
const seenAt = ({ objects, now }: Audit): Milliseconds => {
  const renewed = objects.of(kinds.Lease).flatMap(({ spec }) => parseTime(spec?.renewTime) ?? [])
  return renewed.length === 0 ? now : Math.min(now, Math.max(...renewed))
}

export const cld008: Check = {
  id: 'CLD-008',
  group: 'cloud',
  severity: 'warning',
  title: 'Outdated prices',
  why: 'Kerf reads prices twice a day and stores them, with the time, in a ConfigMap in its namespace. If the cloud rejects the requests, Kerf continues with the stored prices and compares instance types by outdated prices, above all for spot. Nothing else shows this. The alert KerfPricesOld fires at the same age.',
  reads: ['Deployment', 'ConfigMap'],
  examine(audit) {
    const homes = new Set(audit.controllers.map(({ metadata }) => metadata.namespace))
    const kept = audit.objects
      .of(kinds.ConfigMap)
      .filter(({ metadata }) => priceConfigMaps.includes(metadata.name) && homes.has(metadata.namespace))
    if (kept.length === 0) {
      const unknown = audit.unknown(PRICES_ELSEWHERE)
      return unknown === undefined ? inOrder('no controller stores prices here') : undecided(unknown)
    }
    const at = seenAt(audit)
    const aged = kept.flatMap((map) => {
      const readAt = newestPriceTime(map.data)
      return readAt === undefined ? [] : [{ map, hours: (at - readAt) / HOUR }]
    })
    const old = aged.filter(({ hours }) => hours > MOST_HOURS)
    if (aged.length < kept.length && old.length === 0)
      return undecided(`${kept.map(objectName).join(', ')} does not say when its prices were read`)
    const [first] = old
    return foundAny(
      old.map(({ map }) => objectName(map)),
      {
        seen: `these prices were read ${old.map(({ hours }) => (hours / 24).toFixed(1)).join(', ')} days ago`,
        remedy: `kubectl -n ${first?.map.metadata.namespace ?? ''} logs -l app.kubernetes.io/name=karpenter | grep providers.pricing shows the error of the cloud`,
      },
      'prices are less than two days old',
    )
  },
}
