import type { Pod } from '@kerf/apis'
import { addRequests, type Token } from './form-tokens.ts'

/** Returns a key for the requests of a pod. Equal keys mean equal requests, but equal requests may have different keys. */
export const requestsKey = (pod: Pod): string => {
  let text = ''
  const add = (token: Token): void => {
    text += typeof token === 'string' ? JSON.stringify(token) : `${String(token)},`
  }
  addRequests({ add }, pod)
  return text
}
