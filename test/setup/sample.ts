export { isNightly, sampled } from '@kerf/testing'
