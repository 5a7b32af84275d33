import fc from 'fast-check'
import { TEST_SEED } from './strength.ts'

// Before each file of tests: what fast-check draws comes from the run's seed.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: TEST_SEED })
