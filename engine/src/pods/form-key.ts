import type { Pod } from '@kerf/apis'
import { addRequests, type Token } from './form-tokens.ts'

/** Text of what a pod takes from its node. Equal texts mean equal requests; equal requests may have different texts. */
export const requestsKey = (pod: Pod): string => {
  let text = ''
  const add = (token: Token): void => {
    text += typeof token === 'string' ? JSON.stringify(token) : `${String(token)},`
  }
  addRequests({ add }, pod)
  return text
}
