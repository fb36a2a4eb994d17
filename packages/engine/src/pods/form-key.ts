import type { Pod } from '@kerf/apis'
import { addRequests, type Token } from './form-tokens.ts'

/** Returns a text for the requests of a pod. Equal texts mean equal requests, but equal requests may have different texts. */
export const requestsKey = (pod: Pod): string => {
  let text = ''
  const add = (token: Token): void => {
    text += typeof token === 'string' ? JSON.stringify(token) : `${String(token)},`
  }
  addRequests({ add }, pod)
  return text
}
