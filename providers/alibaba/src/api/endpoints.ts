import { ownValue } from '@kerf/apis'
import type { Product } from './action-routes.ts'

/** The URL of each product's API. */
export type Endpoints = Readonly<Record<Product, string>>

/** Regions whose public endpoints have irregular names, from the vendor's SDK. */
const PUBLIC: Readonly<Record<string, Partial<Readonly<Record<Product, string>>>>> = {
  'cn-hangzhou': { ecs: 'ecs-cn-hangzhou.aliyuncs.com', vpc: 'vpc.aliyuncs.com' },
}

/** Returns the endpoints of a region. If `network` is `vpc`, they are reachable only inside a VPC. If it is empty, they are public. */
export const endpointsIn = (region: string, network: '' | 'vpc'): Endpoints => {
  const known = network === '' ? ownValue(PUBLIC, region) : undefined
  const url = (product: Product): string =>
    `https://${known?.[product] ?? `${product}${network === '' ? '' : `-${network}`}.${region}.aliyuncs.com`}`
  return { ecs: url('ecs'), vpc: url('vpc'), cs: url('cs') }
}
