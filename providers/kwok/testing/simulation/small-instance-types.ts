import type { InstanceType } from '@kerf/engine'
import { loadInstanceTypes } from '@kerf/provider-kwok'

let loaded: Promise<readonly InstanceType[]> | undefined

/** Returns a dozen instance types. They find as many bugs as all 144 types, but in less time. */
export const smallInstanceTypes = (): Promise<readonly InstanceType[]> => {
  loaded ??= loadInstanceTypes().then((types) =>
    types.filter(({ name }) => /^[csm]-(2|4|8|16)x-amd64-linux$/.test(name)),
  )
  return loaded
}
