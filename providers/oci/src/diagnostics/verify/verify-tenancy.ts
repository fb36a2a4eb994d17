import { AvailabilityDomains } from '../../offers/availability-domains.ts'
import { OfferedShapes } from '../../offers/offered-shapes.ts'
import type { PartPrices } from '../../prices/price-list.ts'
import { attempt, passed, refused, type Subject, skipped, type TenancyFinding, warned } from './finding.ts'
import { type ClassesDeps, classFindings } from './verify-classes.ts'

export interface VerifyDeps extends ClassesDeps {
  readonly region: string
  /** Reads Oracle's price list. Undefined if the settings select Kerf's built-in prices. */
  readonly readPrices: ((signal: AbortSignal) => Promise<PartPrices>) | undefined
}

const shapesFinding = (
  { api, clock, compartments, region }: VerifyDeps,
  domains: AvailabilityDomains,
  signal: AbortSignal,
): Promise<TenancyFinding> => {
  const subject = { check: 'the region offers shapes', object: `region ${region}` }
  return attempt(subject, 'correct the compartment of the settings', signal, async () => {
    const offered = new OfferedShapes({ api, clock, domains, compartmentId: compartments.nodes })
    const { shapes } = await offered.read(signal)
    return shapes.size === 0
      ? warned(subject, 'no shape', 'use another region')
      : passed(subject, `${shapes.size} shapes in ${(await domains.all(signal)).join(', ')}`)
  })
}

const instancesFinding = ({ api, compartments }: VerifyDeps, signal: AbortSignal): Promise<TenancyFinding> => {
  const subject = { check: 'instances can be listed', object: `compartment ${compartments.nodes}` }
  return attempt(subject, 'correct the compartment of the settings', signal, async () => {
    const found = await api.instances(compartments.nodes, signal)
    return passed(subject, `${found.length} in the compartment, of any owner`)
  })
}

const networkFinding = ({ api, compartments }: VerifyDeps, signal: AbortSignal): Promise<TenancyFinding> => {
  const subject = { check: 'subnets can be listed', object: `compartment ${compartments.network}` }
  return attempt(subject, 'correct VCN_COMPARTMENT_ID', signal, async () => {
    const found = await api.subnets({ compartmentId: compartments.network }, signal)
    return found.length === 0
      ? warned(subject, 'there are none', 'create a subnet, or correct VCN_COMPARTMENT_ID')
      : passed(subject, `${found.length}`)
  })
}

const priceFinding = ({ readPrices }: VerifyDeps, signal: AbortSignal): Promise<TenancyFinding> => {
  const subject = { check: 'prices can be read', object: 'the price list of Oracle' }
  return attempt(subject, 'correct PRICE_ENDPOINT', signal, async () =>
    readPrices === undefined
      ? skipped(subject, 'USE_LOCAL_PRICE_LIST is true')
      : passed(subject, `${(await readPrices(signal)).size} parts have a price`),
  ).then((finding) =>
    // Without this call, Kerf uses its built-in prices.
    finding.outcome === 'failed' ? { ...finding, outcome: 'warning' } : finding,
  )
}

/**
 * Checks whether a tenancy has everything that Kerf needs, without changing anything. Uses the caller's credentials, which are the
 * controller's in a pod and the user's elsewhere.
 *
 * @throws the signal's reason
 */
export const verifyTenancy = async (deps: VerifyDeps, signal: AbortSignal): Promise<readonly TenancyFinding[]> => {
  const { api, clock, compartments, region } = deps
  const domains = new AvailabilityDomains(api, clock, compartments.nodes)
  const first: Subject = { check: 'Oracle Cloud accepts the credentials', object: `region ${region}` }
  let accepted: TenancyFinding
  try {
    accepted = passed(first, `${(await domains.all(signal)).length} availability domains`)
  } catch (error) {
    signal.throwIfAborted()
    const rest: Subject = { check: 'shapes, instances, subnets, prices and node classes', object: 'the tenancy' }
    return [
      refused(first, error, 'correct COMPARTMENT_ID or CLUSTER_COMPARTMENT_ID'),
      skipped(rest, 'the first call failed'),
    ]
  }
  const findings = await Promise.all([
    shapesFinding(deps, domains, signal),
    instancesFinding(deps, signal),
    networkFinding(deps, signal),
    priceFinding(deps, signal),
    classFindings(deps, signal),
  ])
  const launches: Subject = { check: 'instances can be launched, tagged and terminated', object: `region ${region}` }
  return [
    accepted,
    ...findings.flat(),
    skipped(launches, 'only a launch shows it; "kerf oci roles --check FILE" compares the policies'),
  ]
}
