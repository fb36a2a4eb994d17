export { claimUidOf, MachineProvider, offeringsOf } from './simulate/machine-provider.ts'
