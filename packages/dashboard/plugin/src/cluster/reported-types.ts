import { type ReportedInstanceTypes, reportedInstanceTypes } from '../model/reported-instance-types.ts'
import { askKerf } from './controller.ts'

interface Asked {
  readonly at: number
  readonly pools: string | undefined
  readonly answer: Promise<ReportedInstanceTypes | undefined>
}

/** How long a response is cached, in milliseconds. A response with 800 instance types is larger than a megabyte. */
const FRESH = 120_000
const asked = new Map<string, Asked>()

/**
 * Returns the instance types that Kerf reports, or undefined if the controller is unreachable or is not Kerf. `pools` identifies the
 * NodePools that the caller has loaded. If they differ from those of the last request, the types are requested again, because each pool has
 * its own instance types.
 */
export const askInstanceTypes = (cluster: string, pools?: string): Promise<ReportedInstanceTypes | undefined> => {
  const known = asked.get(cluster)
  const isSame = pools === undefined || known?.pools === pools
  if (known !== undefined && isSame && Date.now() - known.at < FRESH) return known.answer
  const answer = askKerf(cluster, '/kerf/v1/instance-types', '/kerf/v1/catalogue').then(reportedInstanceTypes)
  asked.set(cluster, { at: Date.now(), pools: pools ?? known?.pools, answer })
  void answer.then((found) => {
    if (found === undefined && asked.get(cluster)?.answer === answer) asked.delete(cluster)
  })
  return answer
}
