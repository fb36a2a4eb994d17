import type { UsdPerHour } from '@kerf/apis'
import { clusterApiAnnotations } from '../names.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import { deploymentProblem, type Reading, read } from './problem.ts'

const AMOUNT = /^[0-9]+(\.[0-9]+)?$/

/**
 * Reads the price of one machine from the MachineDeployment (`providers/cluster-api/docs/spec/cluster-api.md#prices`). A missing price is not a
 * problem, because a NodeOverlay may set it.
 */
export const readHourlyPrice = (deployment: MachineDeployment): Reading<UsdPerHour | undefined> => {
  const key = clusterApiAnnotations.hourlyPrice
  const found = deployment.annotations[key]
  if (found === undefined) return read(undefined)
  const text = found.trim()
  const price = Number(text)
  if (AMOUNT.test(text) && Number.isFinite(price)) return read(price)
  const detail = 'the value is not a price'
  const remedy = 'write US dollars per hour as a plain number, such as 0.192'
  const consequence = 'left-out'
  return read(
    undefined,
    deploymentProblem(deployment, { reason: 'PriceUnreadable', consequence, key, found, detail, remedy }),
  )
}
