import { kinds, type Lease, parseTime } from '@kerf/apis'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

const MOST_SECONDS = 30

/** The part of the metadata that contains the times of writes, by the API server's clock. */
type Managed = { readonly managedFields?: readonly { readonly time?: string }[] }

/** Returns how many seconds the clock of the Lease holder is ahead of the API server's clock. Returns undefined if it is unknown. */
const secondsAhead = ({ metadata, spec }: Lease): number | undefined => {
  const renewed = parseTime(spec.renewTime)
  const stored = ((metadata as Managed).managedFields ?? []).flatMap(({ time }) => parseTime(time) ?? [])
  return renewed === undefined || stored.length === 0 ? undefined : (renewed - Math.max(...stored)) / 1_000
}

export const cld009: Check = {
  id: 'CLD-009',
  group: 'cloud',
  severity: 'warning',
  title: 'Wrong clocks of nodes or of the controller',
  why: 'A Lease records its renewal time by the clock of its holder; the API server records by its own clock when it stored the renewal. Clouds reject requests whose time is a few minutes off, and the Lease of a controller with a slow clock looks expired. For files, use kubectl get leases --show-managed-fields.',
  reads: ['Lease'],
  examine({ objects }) {
    const off = objects.of(kinds.Lease).flatMap((lease) => {
      const seconds = secondsAhead(lease)
      return seconds === undefined || Math.abs(seconds) <= MOST_SECONDS ? [] : [{ lease, seconds }]
    })
    return foundAny(
      off.map(({ lease }) => objectName(lease)),
      {
        seen: off
          .slice(0, 5)
          .map(
            ({ lease, seconds }) =>
              `the clock of ${lease.spec.holderIdentity ?? lease.metadata.name} is ${Math.abs(seconds).toFixed(0)} s ${seconds > 0 ? 'ahead of' : 'behind'} the API server`,
          )
          .join('; '),
        remedy: 'start chrony, or another time service of the image, on these machines',
      },
      'every clock is correct to within half a minute',
    )
  },
}
