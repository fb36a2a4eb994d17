import { testVerdicts } from '@kerf/provider-kit/testing/verdict-tests'
import { proxmoxVerdicts } from '../testing/verdicts.ts'

testVerdicts(proxmoxVerdicts())
