import { capacityTypes } from '@kerf/apis'
import type { LaunchRequest, LaunchResult } from '../../api/actions.ts'
import type { FakeAccount } from './fake-account.ts'
import { onDemandPrice, spotPrice } from './fake-offer.ts'
import type { Refusal } from './request-shape.ts'

const MOST_CONFIGS = 20
const MOST_TAGS = 20
const USER_DATA_BYTES = 16 * 1024

const refusal = (status: number, code: string, message: string = code): Refusal => ({ status, code, message })

const badTag = ({ Key, Value = '' }: { readonly Key: string; readonly Value?: string }): boolean =>
  Key === '' ||
  Key.length > 128 ||
  Value.length > 128 ||
  /^(?:acs:|aliyun)/.test(Key) ||
  /https?:\/\//.test(Key + Value)

/** Returns the API's error if a launch exceeds the limits in its documentation of 2021. Values are strings, like in the HTTP request. */
const refuse = (account: FakeAccount, request: LaunchRequest): Refusal | undefined => {
  const { ClientToken = '', LaunchTemplateConfig = [], LaunchConfiguration: launch } = request
  if (ClientToken.length > 64) return refusal(400, 'InvalidParameter', 'ClientToken is too long.')
  if (request.AutoProvisioningGroupType !== 'instant' || request.TotalTargetCapacity !== '1')
    return refusal(400, 'InvalidParameter', 'The fake launches one instance at once.')
  if (LaunchTemplateConfig.length < 1 || LaunchTemplateConfig.length > MOST_CONFIGS)
    return refusal(400, 'InvalidParameter', 'LaunchTemplateConfig has 1 to 20 items.')
  for (const { InstanceType, VSwitchId, ImageId = launch.ImageId } of LaunchTemplateConfig) {
    const type = account.types.find(({ InstanceTypeId }) => InstanceTypeId === InstanceType)
    if (type === undefined) return refusal(403, 'InvalidInstanceType.NotSupported')
    if (!account.vSwitches.some(({ id }) => id === VSwitchId)) return refusal(404, 'InvalidVSwitchId.NotFound')
    const image = account.images.find(({ id }) => id === ImageId)
    if (image === undefined) return refusal(404, 'InvalidImageId.NotFound')
    if ((type.CpuArchitecture === 'ARM') !== (image.architecture === 'arm64'))
      return refusal(403, 'ImageNotSupportInstanceType')
  }
  const groups = launch.SecurityGroupIds ?? []
  if (groups.length === 0) return refusal(400, 'MissingParameter', 'The parameter SecurityGroupIds is required.')
  if (groups.some((group) => !account.securityGroups.some(({ id }) => id === group)))
    return refusal(404, 'InvalidSecurityGroupId.NotFound')
  if (Buffer.from(launch.UserData ?? '', 'base64').length > USER_DATA_BYTES)
    return refusal(400, 'InvalidUserData.SizeExceeded')
  const tags = launch.Tag ?? []
  if (tags.length > MOST_TAGS) return refusal(403, 'QuotaExceed.Tags')
  if (tags.some(badTag)) return refusal(400, 'InvalidTagKey.Malformed')
  if (launch.SystemDiskSize !== undefined && Number(launch.SystemDiskSize) < 20)
    return refusal(404, 'InvalidSystemDiskSize.LessThanImageSize')
  if ((launch.DataDisk ?? []).some(({ Size }) => Number(Size) < 20))
    return refusal(400, 'InvalidDataDiskSize.ValueNotSupported')
  return undefined
}

/** Returns the parameters as text, independent of their order. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, inner]) => `${key}:${canonical(inner)}`).join()}}`
}

/**
 * Launches one instance with the cheapest configuration in stock, or with the first by priority if the request asks for that. The results
 * also contain the configurations that were out of stock.
 */
export const launchOne = (account: FakeAccount, request: LaunchRequest): Refusal | { readonly answer: object } => {
  const refused = refuse(account, request)
  if (refused !== undefined) return refused
  const parameters = canonical(request)
  const earlier = account.launches.get(request.ClientToken)
  if (earlier !== undefined)
    return earlier.parameters === parameters
      ? { answer: earlier.answer }
      : refusal(400, 'IdempotentParameterMismatch', 'The request uses the client token of another request.')
  const isSpot = request.SpotTargetCapacity === '1'
  const strategy = isSpot ? 'SpotAsPriceGo' : 'NoSpot'
  const capacityType = isSpot ? capacityTypes.spot : capacityTypes.onDemand
  const isPrioritized = !isSpot && request.PayAsYouGoAllocationStrategy === 'prioritized'
  const ranked = request.LaunchTemplateConfig.flatMap((config) => {
    const type = account.types.find(({ InstanceTypeId }) => InstanceTypeId === config.InstanceType)
    const vSwitch = account.vSwitches.find(({ id }) => id === config.VSwitchId)
    if (type === undefined || vSwitch === undefined) return []
    const price = isSpot ? spotPrice(type, vSwitch.zone) : onDemandPrice(type)
    return [{ config, type, vSwitch, rank: isPrioritized ? (config.Priority ?? Number.POSITIVE_INFINITY) : price }]
  }).toSorted((a, b) => a.rank - b.rank)
  const results: LaunchResult[] = []
  for (const { config, type, vSwitch } of ranked) {
    const about = { InstanceType: config.InstanceType, ZoneId: vSwitch.zone, SpotStrategy: strategy }
    const failed = (ErrorCode: string): void => void results.push({ ...about, ErrorCode, ErrorMsg: ErrorCode })
    const offering = { capacityType, instanceType: config.InstanceType, zone: vSwitch.zone }
    if (!account.hasStock(offering)) {
      failed('OperationDenied.NoStock')
      continue
    }
    if (
      !account.hasDisk(
        offering,
        (request.SystemDiskConfig ?? []).map(({ DiskCategory }) => DiskCategory),
      )
    ) {
      failed('InvalidSystemDiskCategory.ValueNotSupported')
      continue
    }
    if (!account.hasQuota(type.CpuCoreCount, isSpot)) {
      failed('QuotaExceed.ElasticQuota')
      continue
    }
    if (vSwitch.free <= 0) {
      failed('InvalidVSwitchId.IpNotEnough')
      continue
    }
    account.vSwitches = account.vSwitches.map((each) =>
      each.id === vSwitch.id ? { ...each, free: each.free - 1 } : each,
    )
    const { LaunchConfiguration: launch } = request
    const launched = account.put({
      type: config.InstanceType,
      vSwitch: vSwitch.id,
      zone: vSwitch.zone,
      isSpot,
      image: config.ImageId ?? launch.ImageId,
      securityGroups: launch.SecurityGroupIds,
      userData: launch.UserData ?? '',
      tags: Object.fromEntries((launch.Tag ?? []).map(({ Key, Value = '' }) => [Key, Value])),
    })
    account.onLaunched(launched)
    results.push({ ...about, InstanceIds: { InstanceId: [launched.id] } })
    break
  }
  const answer = {
    AutoProvisioningGroupId: `apg-${account.launches.size + 1}`,
    LaunchResults: { LaunchResult: results },
  }
  account.launches.set(request.ClientToken, { parameters, answer })
  return { answer }
}
